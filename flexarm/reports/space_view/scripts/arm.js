// The arm: links as tubes, hubs, base, payload, the axes of the joints.
// Width and length of a hub by the type of its joint: a locked one is no thicker than the link, a sliding one a sleeve.
const HUBS = { revolute: [1, 1], prismatic: [0.75, 1.6], fixed: [0.55, 0.4] };

/** Matrix that lays a hub along the axis of its joint. */
function hubTurn(axis, type) {
  const [width, length] = HUBS[type], along = new THREE.Vector3(...axis), across = new THREE.Vector3();
  across.crossVectors(new THREE.Vector3(0, Math.abs(along.y) < 0.9 ? 1 : 0, Math.abs(along.y) < 0.9 ? 0 : 1), along);
  const third = new THREE.Vector3().crossVectors(along, across.normalize());
  return new THREE.Matrix4().makeBasis(across, third, along).scale(new THREE.Vector3(width, width, length));
}

/** Ends of the rods that lead to links which do not begin where the one before ends, after each other. */
function rodEnds(data, positions) {
  const point = (k) => [...positions.subarray(3 * k, 3 * k + 3)];
  const ends = data.rods.joints.map((joint) => {
    const from = joint ? point(data.starts[joint] - 1) : data.rods.base;
    return [...from, ...point(data.starts[joint])];
  });
  return Float64Array.from(ends.flat());
}

/** Everything of the arm. */
class ArmModel {
  constructor(motion, radius, load) {
    const { data } = motion;
    this.load = load;
    this.motion = motion;
    this.group = new THREE.Group();
    this.materials = {};
    for (const name of ["flexible", "rigid", "hub", "payload", "base"]) {
      this.materials[name] = new THREE.MeshLambertMaterial();
    }
    const links = [...data.flexible.keys()], isLoaded = (link) => load?.known[link] ?? false;
    this.kinds = data.flexible.map((flexible) => (flexible ? "flexible" : "rigid"));
    this.tubes = ["flexible", "rigid"].map((kind) => new Tubes(
      links.filter((link) => this.kinds[link] === kind && !isLoaded(link)), data.starts, radius, this.materials[kind],
    ));
    this.loaded = new Tubes(
      links.filter(isLoaded), data.starts, radius, new THREE.MeshLambertMaterial({ vertexColors: true }),
    );
    this.tubes.push(this.loaded);
    const hub = new THREE.CylinderGeometry(1.9 * radius, 1.9 * radius, 4.2 * radius, 24).rotateX(Math.PI / 2);
    this.hubs = new THREE.InstancedMesh(hub, this.materials.hub, links.length);
    this.turns = data.hubs.map(({ axis, type }) => hubTurn(axis, type));
    const rods = data.rods.joints;
    this.rods = new Tubes([...rods.keys()], [0, ...rods.map((_, k) => 2 * k + 2)], 0.45 * radius, this.materials.rigid);
    this.hubs.frustumCulled = false;
    const ball = (size, material) => new THREE.Mesh(new THREE.SphereGeometry(size * radius, 24, 16), material);
    this.end = ball(1, new THREE.MeshLambertMaterial());
    this.payload = ball(2.6, this.materials.payload);
    this.payload.visible = data.payload;
    const size = (data.base === "fixed" ? 4.6 : 6.4) * radius;
    this.base = new THREE.Mesh(new THREE.BoxGeometry(size, size, 0.8 * size), this.materials.base);
    this.base.matrixAutoUpdate = false;
    this.frames = new FrameAxes(motion.frameCount, 9 * radius);
    this.frames.lines.visible = false;
    this.group.add(...this.tubes.map((tube) => tube.mesh), this.rods.mesh, this.hubs, this.end, this.payload, this.base);
    this.group.add(this.frames.lines);
  }

  recolour() {
    for (const [name, material] of Object.entries(this.materials)) material.color = pageColour(`--${name}`);
    this.frames.recolour();
  }

  /** Colours along a link, by the number of a point: of what it bears at a time, or that of its kind. */
  coloursAt(t) {
    const values = this.load?.shown ? this.load.course.at(t) : null;
    return (link) => {
      const plain = this.materials[this.kinds[link]].color;
      return values && this.load.known[link] ? this.load.coloursOf(link, values) : () => plain;
    };
  }

  update(positions, t) {
    const { data, frames, frameCount, payload } = this.motion;
    const colours = this.coloursAt(t), last = data.flexible.length - 1;
    this.loaded.colour(colours);
    this.end.material.color = colours(last)(data.starts[last + 1] - data.starts[last] - 1);
    for (const tube of this.tubes) tube.update(positions);
    const matrices = Array.from({ length: frameCount }, (_, k) => frameMatrix(positions, frames + 9 * k));
    this.rods.update(rodEnds(data, positions));
    if (data.base === "fixed") this.base.matrix.makeTranslation(...data.rods.base);
    else this.base.matrix.copy(matrices[0]);
    matrices.slice(-this.turns.length).forEach((matrix, k) => {
      this.hubs.setMatrixAt(k, matrix.clone().multiply(this.turns[k]));
    });
    this.hubs.instanceMatrix.needsUpdate = true;
    this.end.position.fromArray(positions, frames - 3);
    this.payload.position.fromArray(positions, payload);
    this.frames.update(matrices);
  }
}
