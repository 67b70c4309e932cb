// The arm: links as tubes along their bent axes, hubs, base, payload, the frames of the joints.
const SIDES = 12; // of a tube

/** Colour of the page by the name of its variable. */
function pageColour(name) {
  return new THREE.Color(getComputedStyle(document.getElementById("space-view")).getPropertyValue(name).trim());
}

/** Tubes along the axes of some links, one geometry for all of them. */
class Tubes {
  constructor(links, starts, radius, material) {
    this.links = links;
    this.starts = starts;
    this.radius = radius;
    const points = links.reduce((sum, link) => sum + starts[link + 1] - starts[link], 0);
    const geometry = new THREE.BufferGeometry();
    this.corners = new THREE.BufferAttribute(new Float32Array(3 * SIDES * points), 3);
    this.normals = new THREE.BufferAttribute(new Float32Array(3 * SIDES * points), 3);
    geometry.setAttribute("position", this.corners);
    geometry.setAttribute("normal", this.normals);
    geometry.setIndex(this.faces());
    this.mesh = new THREE.Mesh(geometry, material);
    this.mesh.frustumCulled = false;
  }

  faces() {
    const index = [];
    let ring = 0;
    for (const link of this.links) {
      for (let k = this.starts[link]; k < this.starts[link + 1] - 1; k++, ring++) {
        for (let side = 0; side < SIDES; side++) {
          const a = SIDES * ring + side, b = SIDES * ring + ((side + 1) % SIDES);
          index.push(a, b, a + SIDES, b, b + SIDES, a + SIDES);
        }
      }
      ring++;
    }
    return index;
  }

  update(positions) {
    const tangent = new THREE.Vector3(), normal = new THREE.Vector3(), across = new THREE.Vector3();
    const point = (k) => new THREE.Vector3().fromArray(positions, 3 * k);
    let corner = 0;
    for (const link of this.links) {
      const start = this.starts[link], end = this.starts[link + 1] - 1;
      normal.set(0, 0, 0);
      for (let k = start; k <= end; k++) {
        tangent.subVectors(point(Math.min(k + 1, end)), point(Math.max(k - 1, start))).normalize();
        // the normal of the ring before, turned as little as it must be
        normal.addScaledVector(tangent, -normal.dot(tangent));
        if (normal.lengthSq() < 1e-6) {
          const least = Math.abs(tangent.z) < 0.9 ? new THREE.Vector3(0, 0, 1) : new THREE.Vector3(1, 0, 0);
          normal.crossVectors(tangent, least);
        }
        normal.normalize();
        across.crossVectors(tangent, normal);
        const at = point(k);
        for (let side = 0; side < SIDES; side++, corner++) {
          const angle = (2 * Math.PI * side) / SIDES;
          const out = normal.clone().multiplyScalar(Math.cos(angle)).addScaledVector(across, Math.sin(angle));
          this.normals.setXYZ(corner, out.x, out.y, out.z);
          out.multiplyScalar(this.radius).add(at);
          this.corners.setXYZ(corner, out.x, out.y, out.z);
        }
      }
    }
    this.corners.needsUpdate = this.normals.needsUpdate = true;
  }
}

/** Matrix that takes the axes of a frame, whose origin, x and z axis stand in the positions, to space. */
function frameMatrix(positions, start) {
  const x = new THREE.Vector3().fromArray(positions, start + 3);
  const z = new THREE.Vector3().fromArray(positions, start + 6);
  const y = new THREE.Vector3().crossVectors(z, x);
  return new THREE.Matrix4().makeBasis(x, y, z).setPosition(...positions.subarray(start, start + 3));
}

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
    this.tip = new THREE.Mesh(
      new THREE.SphereGeometry((data.payload ? 2.6 : 1) * radius, 24, 16),
      this.materials[data.payload ? "payload" : data.flexible[links.length - 1] ? "flexible" : "rigid"],
    );
    const size = (data.base === "fixed" ? 4.6 : 6.4) * radius;
    this.base = new THREE.Mesh(new THREE.BoxGeometry(size, size, 0.8 * size), this.materials.base);
    this.base.matrixAutoUpdate = false;
    this.frames = new FrameAxes(motion.frameCount, 9 * radius);
    this.frames.lines.visible = false;
    this.group.add(...this.tubes.map((tube) => tube.mesh), this.hubs, this.tip, this.base, this.frames.lines);
  }

  recolour() {
    for (const [name, material] of Object.entries(this.materials)) material.color = pageColour(`--${name}`);
    this.frames.recolour();
  }

  update(positions) {
    const { data, frames, frameCount, payload } = this.motion;
    for (const tube of this.tubes) tube.update(positions);
    const matrices = Array.from({ length: frameCount }, (_, k) => frameMatrix(positions, frames + 9 * k));
    this.base.matrix.copy(matrices[0]);
    matrices.slice(-data.turning.length).forEach((matrix, k) => {
      // a locked joint is no thicker than the link
      this.hubs.setMatrixAt(k, data.turning[k] ? matrix : matrix.clone().scale(new THREE.Vector3(0.55, 0.55, 0.4)));
    });
    this.hubs.instanceMatrix.needsUpdate = true;
    this.tip.position.fromArray(positions, payload);
    this.frames.update(matrices);
  }
}

/** The axes x, y, z of some frames as short coloured lines. */
class FrameAxes {
  constructor(count, length) {
    this.length = length;
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(18 * count), 3));
    geometry.setAttribute("color", new THREE.BufferAttribute(new Float32Array(18 * count), 3));
    this.lines = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ vertexColors: true, depthTest: false }));
    this.lines.frustumCulled = false;
    this.lines.renderOrder = 2;
  }

  recolour() {
    const { color } = this.lines.geometry.attributes;
    const colours = ["--axis-x", "--axis-y", "--axis-z"].map(pageColour);
    for (let k = 0; k < color.count; k++) {
      const { r, g, b } = colours[Math.floor((k % 6) / 2)];
      color.setXYZ(k, r, g, b);
    }
    color.needsUpdate = true;
  }

  update(matrices) {
    const { position } = this.lines.geometry.attributes;
    matrices.forEach((matrix, k) => {
      const origin = new THREE.Vector3().setFromMatrixPosition(matrix);
      for (let axis = 0; axis < 3; axis++) {
        const end = new THREE.Vector3().setFromMatrixColumn(matrix, axis).multiplyScalar(this.length).add(origin);
        position.setXYZ(6 * k + 2 * axis, origin.x, origin.y, origin.z);
        position.setXYZ(6 * k + 2 * axis + 1, end.x, end.y, end.z);
      }
    });
    position.needsUpdate = true;
  }
}
