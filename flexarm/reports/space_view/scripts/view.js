// The view: puts arm and surroundings into one scene and draws it when something has changed.
const FLASH_SECONDS = 0.2; // of playing
const END_ON = 0.97; // cosine of the angle between an axis and the line of sight

class SpaceView {
  constructor(figure, data) {
    this.stage = figure.querySelector(".stage");
    this.canvas = figure.querySelector("canvas");
    this.renderer = new THREE.WebGLRenderer({ canvas: this.canvas, antialias: true, alpha: true });
    this.motion = new Motion(data);
    this.time = this.motion.first;
    this.magnification = data.magnification;
    this.flash = FLASH_SECONDS * data.speed;
    const box = surveyed(this.motion);
    this.load = data.load ? new CarriedLoad(data, this.stage) : null;
    this.arm = new ArmModel(this.motion, box.radius, this.load);
    this.walls = new Walls(data, box);
    this.directions = new Directions(data, box);
    box.points.push(...this.directions.letters.map(({ at }) => at));
    this.paths = [new Path(data.trace, "--trace", 0.4)];
    if (data.desired) this.paths.unshift(new Path(data.desired, "--desired", 0.5));
    this.contacts = data.contact ? new ContactPoints(this.motion, box.radius) : null;
    this.target = data.desired ? new THREE.Mesh(
      new THREE.SphereGeometry(1.6 * box.radius, 16, 12), new THREE.MeshBasicMaterial({ transparent: true, opacity: 0.5 }),
    ) : null;
    this.scene = new THREE.Scene();
    this.scene.add(this.arm.group, this.directions.group, ...this.paths.flatMap((path) => path.lines), this.walls.group);
    for (const mesh of [this.contacts?.mesh, this.target]) if (mesh) this.scene.add(mesh);
    this.camera = new Camera(this.canvas, data, box, () => this.invalidate());
    this.camera.controls.addEventListener("start", () => (this.camera.touched = true));
    this.addLight();
    this.letters = this.directions.letters.map((letter) => this.letter(letter));
    this.recolour();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.recolour());
    new ResizeObserver(() => this.resize()).observe(this.stage);
    this.resize();
  }

  addLight() {
    const lamp = new THREE.DirectionalLight(0xffffff, 1.9);
    lamp.position.set(-0.4, 0.8, 1); // beside the camera, whichever way that looks
    this.camera.camera.add(lamp, lamp.target);
    lamp.target.position.set(0, 0, -1);
    this.scene.add(this.camera.camera, new THREE.HemisphereLight(0xffffff, 0xb0b0b0, 1.7));
  }

  letter({ text, colour, at, along }) {
    const element = document.createElement("span");
    element.textContent = text;
    element.style.color = `var(${colour})`;
    this.stage.querySelector(".letters").append(element);
    return { element, at, along };
  }

  recolour() {
    for (const part of [this.load, this.arm, this.walls, this.directions, this.contacts, ...this.paths]) part?.recolour();
    if (this.target) this.target.material.color = pageColour("--desired");
    this.invalidate();
  }

  resize() {
    const width = this.stage.clientWidth, height = this.stage.clientHeight;
    if (!width || !height) return;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    this.camera.resize(width, height);
    this.invalidate();
  }

  /** Show another time or magnification. */
  show(changes) {
    Object.assign(this, changes);
    this.invalidate();
  }

  invalidate() {
    this.pending ??= requestAnimationFrame(() => {
      this.pending = undefined;
      this.draw();
    });
  }

  draw() {
    const positions = this.motion.positions(this.time, this.magnification);
    this.goAlong(positions);
    this.arm.update(positions, this.time);
    this.contacts?.update(positions, this.time, this.flash);
    for (const path of this.paths) path.update(this.time);
    if (this.target) this.target.position.fromArray(this.paths[0].course.at(this.time));
    const { camera } = this.camera;
    this.renderer.render(this.scene, camera);
    this.placeLetters(camera);
  }

  placeLetters(camera) {
    const { clientWidth, clientHeight } = this.stage, away = camera.getWorldDirection(new THREE.Vector3());
    for (const { element, at, along } of this.letters) {
      const seen = at.clone().project(camera);
      element.style.left = `${((1 + seen.x) / 2) * clientWidth}px`;
      element.style.top = `${((1 - seen.y) / 2) * clientHeight}px`;
      // the letter of an axis that is seen end-on would stand on the others
      element.hidden = Math.abs(along.dot(away)) > END_ON;
    }
  }

  /** Keep an arm that floats where it is in the picture, if that is wanted. */
  goAlong(positions) {
    const here = new THREE.Vector3().fromArray(positions, this.motion.frames);
    const by = this.following && this.place ? here.clone().sub(this.place) : null;
    this.place = here;
    if (by?.lengthSq() > 0) this.camera.shift(by);
  }
}
