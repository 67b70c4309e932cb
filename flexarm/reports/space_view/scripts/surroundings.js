// What is around the arm: walls, points that may touch them, gravity, axes, the path of the tip and the desired one.
/** Straight and round walls; what is drawn of them lies on the side where the arm is not. */
class Walls {
  constructor(data, box) {
    this.material = new THREE.MeshLambertMaterial({
      transparent: true, opacity: 0.45, side: THREE.DoubleSide, depthWrite: false,
    });
    this.group = new THREE.Group();
    const thickness = 0.02 * box.size, depth = data.planar ? 0.12 * box.size : 1.2 * box.size;
    for (const wall of data.walls) {
      const mesh = "radius" in wall
        ? this.round(wall, Math.min(thickness, wall.radius / 2), depth, box)
        : this.straight(wall, thickness, data.planar ? depth : 1.6 * box.size, box);
      mesh.material = this.material;
      this.group.add(mesh);
    }
  }

  straight({ point, normal }, thickness, depth, box) {
    const out = new THREE.Vector3(...normal), at = new THREE.Vector3(...point);
    const mesh = new THREE.Mesh(new THREE.BoxGeometry(1.6 * box.size, depth, thickness));
    // x along the wall in the plane of the arm where there is one
    const along = new THREE.Vector3(out.y, -out.x, 0);
    if (along.lengthSq() < 1e-9) along.set(1, 0, 0);
    along.normalize();
    const matrix = new THREE.Matrix4().makeBasis(along, new THREE.Vector3().crossVectors(out, along), out);
    mesh.quaternion.setFromRotationMatrix(matrix);
    const distance = new THREE.Vector3().subVectors(box.middle, at).dot(out);
    mesh.position.copy(box.middle).addScaledVector(out, -distance - thickness / 2);
    return mesh;
  }

  round({ center, radius, inside }, thickness, depth, box) {
    const [near, far] = inside ? [radius, radius + thickness] : [radius - thickness, radius];
    const half = depth / 2;
    const outline = [[near, -half], [far, -half], [far, half], [near, half], [near, -half]];
    const mesh = new THREE.Mesh(
      new THREE.LatheGeometry(outline.map(([r, z]) => new THREE.Vector2(r, z)), 96).rotateX(Math.PI / 2),
    );
    mesh.position.set(center[0], center[1], box.middle.z);
    return mesh;
  }

  recolour() {
    this.material.color = pageColour("--wall");
  }
}

/** Points that may touch walls: they swell at an impact and keep a colour while they rest on a wall. */
class ContactPoints {
  constructor(motion, radius) {
    this.motion = motion;
    const { contact } = motion.data;
    this.times = unpacked(contact.impact_times);
    this.points = unpacked(contact.impact_points);
    this.resting = unpacked(contact.resting);
    this.count = this.resting.length / motion.times.length;
    this.mesh = new THREE.InstancedMesh(
      new THREE.SphereGeometry(1.45 * radius, 16, 12),
      // seen through hubs, the base and walls: drawn after the walls, which are transparent too
      new THREE.MeshBasicMaterial({ depthTest: false, transparent: true }),
      this.count,
    );
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 1;
  }

  recolour() {
    this.colours = { free: pageColour("--free"), resting: pageColour("--resting"), struck: pageColour("--struck") };
  }

  /** Part of its flash that is left of each point, 1 at the impact; a flash lasts so long in the result. */
  flashes(t, lasting) {
    const left = new Float64Array(this.count);
    this.times.forEach((time, k) => {
      const part = 1 - (t - time) / lasting;
      if (t >= time - 1e-9 && part > left[this.points[k]]) left[this.points[k]] = Math.min(part, 1);
    });
    return left;
  }

  update(positions, t, lasting) {
    const { contacts, times } = this.motion;
    const left = this.flashes(t, lasting), row = rowBefore(times, t);
    for (let k = 0; k < this.count; k++) {
      const { free, resting, struck } = this.colours;
      const scale = 1 + 2 * left[k];
      const matrix = new THREE.Matrix4().makeScale(scale, scale, scale);
      this.mesh.setMatrixAt(k, matrix.setPosition(...positions.subarray(contacts + 3 * k, contacts + 3 * k + 3)));
      this.mesh.setColorAt(k, left[k] > 0 ? struck : this.resting[row * this.count + k] ? resting : free);
    }
    this.mesh.instanceMatrix.needsUpdate = this.mesh.instanceColor.needsUpdate = true;
  }
}

/** A path as it was recorded, drawn up to the time that is shown, and faintly to its end. */
class Path {
  constructor({ times, points }, colour, faint) {
    this.course = new Course(unpacked(times), unpacked(points));
    this.colour = colour;
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(this.course.rows, 3));
    const whole = geometry.clone();
    this.past = new THREE.Line(geometry, new THREE.LineBasicMaterial());
    this.whole = new THREE.Line(whole, new THREE.LineBasicMaterial({ transparent: true, opacity: faint }));
    this.past.frustumCulled = this.whole.frustumCulled = false;
    this.lines = [this.whole, this.past];
  }

  recolour() {
    for (const line of this.lines) line.material.color = pageColour(this.colour);
  }

  update(t) {
    this.past.geometry.setDrawRange(0, rowBefore(this.course.times, t) + 1);
  }
}

/** Axes, at the origin if that is near, and the direction of gravity, with their letters. */
class Directions {
  constructor(data, box) {
    const length = 0.13 * box.size;
    this.axes = new FrameAxes(1, length);
    this.axes.update([new THREE.Matrix4().setPosition(box.origin)]);
    this.group = new THREE.Group().add(this.axes.lines);
    this.letters = ["x", "y", "z"].map((text, axis) => {
      const along = new THREE.Vector3().setComponent(axis, 1);
      return { text, colour: `--axis-${text}`, along, at: box.origin.clone().addScaledVector(along, 1.2 * length) };
    });
    const gravity = new THREE.Vector3(...data.gravity);
    if (gravity.length() > 0) {
      gravity.normalize();
      const start = box.beside.clone().addScaledVector(gravity, -length / 2);
      this.arrow = new THREE.ArrowHelper(gravity, start, length, 0, 0.3 * length, 0.16 * length);
      this.group.add(this.arrow);
      const at = start.clone().addScaledVector(gravity, 1.2 * length);
      this.letters.push({ text: "g", colour: "--quiet", along: gravity, at });
    }
  }

  recolour() {
    this.axes.recolour();
    this.arrow?.setColor(pageColour("--quiet"));
  }
}
