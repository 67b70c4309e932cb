// What the links bear, in colours, and the scale beside the arm that says what these mean.
class CarriedLoad {
  constructor(data, stage) {
    const { load, starts } = data;
    this.course = new Course(unpacked(load.times), unpacked(load.values));
    this.known = load.known;
    this.table = unpacked(load.colours);
    // where the values of each link begin: of known links alone there are some, one for each of its points
    let first = 0;
    this.first = this.known.map((known, link) => {
      const here = first;
      if (known) first += starts[link + 1] - starts[link];
      return here;
    });
    this.shown = true;
    this.scale = stage.querySelector(".scale");
    this.scale.querySelector(".what").textContent = load.what;
    this.scale.querySelector(".most").textContent = load.most;
  }

  /** Light to dark on white paper; on dark paper the other way round, so that what bears most stands out. */
  recolour() {
    const dark = matchMedia("(prefers-color-scheme: dark)").matches, colours = [];
    for (let k = 0; k < this.table.length; k += 3) colours.push(`rgb(${this.table.slice(k, k + 3).join(", ")})`);
    if (dark) colours.reverse();
    this.colours = colours.map((colour) => new THREE.Color(colour));
    this.scale.querySelector(".bar").style.background = `linear-gradient(to top, ${colours.join(", ")})`;
    this.scale.hidden = !this.shown;
  }

  show(shown) {
    this.shown = shown;
    this.scale.hidden = !shown;
  }

  /** Colours at the points of a known link, from the values of all of them. */
  coloursOf(link, values) {
    const last = this.colours.length - 1;
    return (point) => this.colours[Math.round((values[this.first[link] + point] / 255) * last)];
  }
}
