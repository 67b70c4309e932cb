// Tubes along bent axes.
const SIDES = 12; // of a tube

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
    if (material.vertexColors) {
      this.colours = new THREE.BufferAttribute(new Float32Array(3 * SIDES * points), 3);
      geometry.setAttribute("color", this.colours);
    }
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

  /** Colour the points of the links; of each of these a function says the colour of a point by its number. */
  colour(coloursOf) {
    let corner = 0;
    for (const link of this.links) {
      const colourAt = coloursOf(link);
      for (let k = 0; k < this.starts[link + 1] - this.starts[link]; k++) {
        const { r, g, b } = colourAt(k);
        for (let side = 0; side < SIDES; side++, corner++) this.colours.setXYZ(corner, r, g, b);
      }
    }
    this.colours.needsUpdate = true;
  }
}
