// The controls: time, playing, speed, magnification, views.
const TIME_STEPS = 1000; // of the time's slider, as in the page
const SPEEDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 5];
const MAGNIFICATIONS = [0, 1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1000];

class Player {
  constructor(figure, view) {
    this.view = view;
    this.find = (name) => figure.querySelector(`[data-part="${name}"]`);
    this.digits = Math.min(Math.max(0, Math.ceil(-Math.log10((view.motion.last - view.motion.first) / 500))), 9);
    this.playButton = this.find("play");
    this.slider = this.find("time");
    if (view.motion.last > view.motion.first) this.prepareTime();
    else for (const part of ["timeline", "speed"]) this.find(part).remove();
    if (view.motion.data.modes.length) this.prepareMagnification();
    else this.find("deflections").remove();
    if (view.motion.data.base === "fixed") this.find("following").remove();
    for (const button of figure.querySelectorAll("[data-view]")) {
      button.addEventListener("click", () => view.camera.look(button.dataset.view));
    }
    figure.querySelector('[data-part="follow"]')?.addEventListener("change", (event) => {
      view.show({ following: event.target.checked });
    });
    if (view.load) this.prepareLoad();
    else this.find("loaded").remove();
    this.find("frames").addEventListener("change", (event) => {
      view.arm.frames.lines.visible = event.target.checked;
      view.invalidate();
    });
  }

  prepareTime() {
    const { view } = this, { data } = view.motion;
    this.playButton.addEventListener("click", () => this.toggle());
    view.canvas.addEventListener("keydown", (event) => {
      if (event.key !== " ") return;
      event.preventDefault();
      this.toggle();
    });
    this.slider.addEventListener("input", () => {
      this.pause();
      this.go(view.motion.first + ((view.motion.last - view.motion.first) * this.slider.valueAsNumber) / TIME_STEPS);
    });
    const choice = this.find("speed");
    for (const part of SPEEDS) {
      const speed = Number((part * data.speed).toPrecision(2));
      choice.add(new Option(speed === 1 ? "real time" : `${speed} × real time`, speed, part === 1, part === 1));
    }
    this.speed = data.speed;
    choice.addEventListener("change", () => (this.speed = Number(choice.value)));
    this.markImpacts();
    this.write();
  }

  /** Short lines below the slider at the times of impacts. */
  markImpacts() {
    const { first, last } = this.view.motion, marks = this.find("impacts");
    for (const t of new Set(this.view.contacts?.times)) {
      const mark = document.createElement("span");
      mark.style.left = `${(100 * (t - first)) / (last - first)}%`;
      marks.append(mark);
    }
  }

  prepareMagnification() {
    const slider = this.find("magnification"), start = this.view.magnification;
    slider.max = MAGNIFICATIONS.length - 1;
    slider.value = MAGNIFICATIONS.findIndex((one) => one >= start);
    const write = () => {
      const factor = MAGNIFICATIONS[slider.valueAsNumber];
      const text = factor === 0 ? "straight links" : factor === 1 ? "as they are" : `${factor} times larger`;
      this.find("factor").value = text;
      slider.setAttribute("aria-valuetext", text);
      this.view.show({ magnification: factor });
    };
    slider.addEventListener("input", write);
    write();
  }

  prepareLoad() {
    this.find("load-name").textContent = this.view.motion.data.load.what;
    this.find("load").addEventListener("change", (event) => {
      this.view.load.show(event.target.checked);
      this.view.invalidate();
    });
  }

  toggle() {
    if (this.playing) return this.pause();
    if (this.view.time >= this.view.motion.last) this.go(this.view.motion.first);
    this.playing = true;
    this.playButton.textContent = "Pause";
    let before = performance.now();
    const step = (now) => {
      if (!this.playing) return;
      const t = this.view.time + Math.max(0, now - before) * 1e-3 * this.speed;
      before = now;
      this.go(Math.min(t, this.view.motion.last));
      if (t < this.view.motion.last) requestAnimationFrame(step);
      else this.pause();
    };
    requestAnimationFrame(step);
  }

  pause() {
    this.playing = false;
    this.playButton.textContent = "Play";
  }

  go(t) {
    this.view.show({ time: t, flash: FLASH_SECONDS * this.speed });
    this.write();
  }

  write() {
    const { first, last } = this.view.motion, text = `t = ${this.view.time.toFixed(this.digits)} s`;
    this.find("clock").value = text.replace("-", "\u2212");
    this.slider.value = Math.round((TIME_STEPS * (this.view.time - first)) / (last - first));
    this.slider.setAttribute("aria-valuetext", text);
  }
}

/** Start the view; without WebGL the words that stand in its place stay. */
function startSpaceView() {
  const figure = document.getElementById("space-view");
  const data = JSON.parse(document.getElementById("space-view-data").textContent);
  figure.classList.add("running");
  try {
    const view = new SpaceView(figure, data);
    return { view, player: new Player(figure, view) };
  } catch (failure) {
    figure.classList.remove("running");
    console.warn(`no view in space: ${failure.message}`);
    return null;
  }
}

const spaceView = startSpaceView();
