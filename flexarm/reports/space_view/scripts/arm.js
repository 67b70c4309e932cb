// The arm: links as tubes, hubs, base, payload, the axes of the joints.
/** Everything of the arm. */
class ArmModel {
  constructor(motion, radius) {
    const { data } = motion;
    this.motion = motion;
    this.group = new THREE.Group();
    this.materials = {};
    for (const name of ["flexible", "rigid", "hub", "payload", "base"]) {
      this.materials[name] = new THREE.MeshLambertMaterial();
    }
    const links = [...data.flexible.keys()];
    this.tubes = [true, false].map((flexible) => new Tubes(
      links.filter((link) => data.flexible[link] === flexible), data.starts, radius,
      this.materials[flexible ? "flexible" : "rigid"],
    ));
    const hub = new THREE.CylinderGeometry(1.9 * radius, 1.9 * radius, 4.2 * radius, 24).rotateX(Math.PI / 2);
    this.hubs = new THREE.InstancedMesh(hub, this.materials.hub, links.length);
    this.hubs.frustumCulled = false;
    const ball = (size, material) => new THREE.Mesh(new THREE.SphereGeometry(size * radius, 24, 16), material);
    this.end = ball(1, this.materials[data.flexible[links.length - 1] ? "flexible" : "rigid"]);
    this.payload = ball(2.6, this.materials.payload);
    this.payload.visible = data.payload;
    const size = (data.base === "fixed" ? 4.6 : 6.4) * radius;
    this.base = new THREE.Mesh(new THREE.BoxGeometry(size, size, 0.8 * size), this.materials.base);
    this.base.matrixAutoUpdate = false;
    this.frames = new FrameAxes(motion.frameCount, 9 * radius);
    this.frames.lines.visible = false;
    this.group.add(...this.tubes.map((tube) => tube.mesh), this.hubs, this.end, this.payload, this.base);
    this.group.add(this.frames.lines);
  }

  recolour() {
    for (const [name, material] of Object.entries(this.materials)) material.color = pageColour(`--${name}`);
    this.frames.recolour();
  }

  update(positions) {
    const { data, frames, frameCount, payload } = this.motion;
    for (const tube of this.tubes) tube.update(positions);
    const matrices = Array.from({ length: frameCount }, (_, k) => frameMatrix(positions, frames + 9 * k));
    if (data.base === "fixed") this.base.matrix.makeTranslation(...positions.subarray(frames, frames + 3));
    else this.base.matrix.copy(matrices[0]);
    matrices.slice(-data.turning.length).forEach((matrix, k) => {
      // a locked joint is no thicker than the link
      this.hubs.setMatrixAt(k, data.turning[k] ? matrix : matrix.clone().scale(new THREE.Vector3(0.55, 0.55, 0.4)));
    });
    this.hubs.instanceMatrix.needsUpdate = true;
    this.end.position.fromArray(positions, frames - 3);
    this.payload.position.fromArray(positions, payload);
    this.frames.update(matrices);
  }
}
