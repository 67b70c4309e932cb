// Frames, drawn as short lines along their axes in the colours of the page.
/** Colour of the page by the name of its variable. */
function pageColour(name) {
  return new THREE.Color(getComputedStyle(document.getElementById("space-view")).getPropertyValue(name).trim());
}

/** Matrix that takes the axes of a frame, whose origin, x and z axis stand in the positions, to space. */
function frameMatrix(positions, start) {
  const x = new THREE.Vector3().fromArray(positions, start + 3);
  const z = new THREE.Vector3().fromArray(positions, start + 6);
  const y = new THREE.Vector3().crossVectors(z, x);
  return new THREE.Matrix4().makeBasis(x, y, z).setPosition(...positions.subarray(start, start + 3));
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
