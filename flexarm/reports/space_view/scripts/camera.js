// The camera: turned, shifted and brought nearer by mouse, touch and keys; views along the axes.
const FIELD_OF_VIEW = 24; // degrees, upright
const KEY_TURN = Math.PI / 36;
const KEY_STEP = 1.15;
const MARGIN = 1.12; // around what has to be in the picture


/** Axes of a scene by its upright axis: where a camera in front of it looks from, and which way is to the right. */
function orientation(up) {
  return {
    x: { up: [1, 0, 0], front: [0, 0, 1], right: [0, 1, 0] },
    y: { up: [0, 1, 0], front: [0, 0, 1], right: [1, 0, 0] },
    z: { up: [0, 0, 1], front: [0, -1, 0], right: [1, 0, 0] },
  }[up];
}

/** Directions from the scene to the camera, by the name of the view. */
function viewDirections(up) {
  const axes = orientation(up);
  const vector = (name) => new THREE.Vector3(...axes[name]);
  const views = { space: vector("front").multiplyScalar(0.8).addScaledVector(vector("right"), 0.5) };
  views.space.addScaledVector(vector("up"), 0.42);
  for (const [k, name] of ["x", "y", "z"].entries()) views[name] = new THREE.Vector3().setComponent(k, 1);
  const front = vector("front");
  views["xyz"[front.toArray().findIndex((part) => part !== 0)]] = front;
  // from above: a little in front, so that it is known which way is to the right
  views[up] = vector("up").addScaledVector(front, 1e-4);
  return views;
}

class Camera {
  constructor(canvas, data, box, changed) {
    this.box = box;
    this.changed = changed;
    this.directions = viewDirections(data.up);
    this.camera = new THREE.PerspectiveCamera(FIELD_OF_VIEW, 1, box.size / 200, box.size * 200);
    this.camera.up.set(...orientation(data.up).up);
    this.controls = new THREE.OrbitControls(this.camera, canvas);
    this.controls.zoomToCursor = true;
    this.controls.addEventListener("change", changed);
    // the wheel scrolls the page until the view has been chosen
    this.controls.enableZoom = false;
    canvas.addEventListener("focus", () => (this.controls.enableZoom = true));
    canvas.addEventListener("blur", () => (this.controls.enableZoom = false));
    canvas.addEventListener("pointerdown", () => canvas.focus({ preventScroll: true }), { capture: true });
    canvas.addEventListener("keydown", (event) => this.key(event));
    this.view = data.planar ? "z" : "space";
  }

  resize(width, height) {
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    if (!this.touched) this.look(this.view);
  }

  /** Look at the whole scene from one of the directions. */
  look(name) {
    this.view = name;
    const forward = this.directions[name].clone().normalize().negate();
    const { target, distance } = this.framed(forward);
    this.controls.target.copy(target);
    this.camera.position.copy(target).addScaledVector(forward, -MARGIN * distance);
    this.controls.update();
    this.touched = false;
    this.changed();
  }

  /** Where to look, and from how far, so that all points fill the picture. */
  framed(forward) {
    const right = new THREE.Vector3().crossVectors(forward, this.camera.up).normalize();
    const upwards = new THREE.Vector3().crossVectors(right, forward);
    const steep = Math.tan((FIELD_OF_VIEW * Math.PI) / 360), wide = steep * this.camera.aspect;
    const target = this.box.middle.clone(), from = new THREE.Vector3();
    let distance = 0;
    for (let pass = 0; pass < 4; pass++) {
      const low = new THREE.Vector2(Infinity, Infinity), high = new THREE.Vector2(-Infinity, -Infinity);
      let needed = 0;
      for (const point of this.box.points) {
        from.subVectors(point, target);
        const x = from.dot(right), y = from.dot(upwards), depth = from.dot(forward);
        needed = Math.max(needed, Math.abs(x) / wide - depth, Math.abs(y) / steep - depth);
        const seen = new THREE.Vector2(x, y).multiplyScalar(distance ? distance / (distance + depth) : 1);
        low.min(seen);
        high.max(seen);
      }
      if (pass < 3) target.addScaledVector(right, (low.x + high.x) / 2).addScaledVector(upwards, (low.y + high.y) / 2);
      distance = needed;
    }
    return { target, distance };
  }

  /** Go along with something that has moved. */
  shift(by) {
    this.camera.position.add(by);
    this.controls.target.add(by);
    this.controls.update();
  }

  turn(sideways, upwards) {
    const { camera, controls } = this, offset = camera.position.clone().sub(controls.target);
    offset.applyAxisAngle(camera.up, sideways);
    const across = new THREE.Vector3().crossVectors(offset, camera.up).normalize();
    const angle = offset.angleTo(camera.up) - upwards;
    if (angle > 0.01 && angle < Math.PI - 0.01) offset.applyAxisAngle(across, upwards);
    camera.position.copy(controls.target).add(offset);
  }

  pan(right, upwards) {
    const { camera, controls } = this, step = 0.05 * camera.position.distanceTo(controls.target);
    const by = new THREE.Vector3().setFromMatrixColumn(camera.matrix, 0).multiplyScalar(right * step);
    this.shift(by.addScaledVector(new THREE.Vector3().setFromMatrixColumn(camera.matrix, 1), upwards * step));
  }

  zoom(factor) {
    const { camera, controls } = this;
    camera.position.sub(controls.target).multiplyScalar(factor).add(controls.target);
  }

  key(event) {
    const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key in arrows) {
      const [right, upwards] = arrows[event.key];
      if (event.shiftKey) this.pan(right, upwards);
      else this.turn(KEY_TURN * right, KEY_TURN * upwards);
    } else if (event.key === "+" || event.key === "=") this.zoom(1 / KEY_STEP);
    else if (event.key === "-") this.zoom(KEY_STEP);
    else return;
    event.preventDefault();
    this.touched = true;
    this.controls.update();
    this.changed();
  }
}
