// The survey before the first picture: what has to be in it, and how large things are.
const SURVEY = 60; // instants whose arms have to be in the picture

/** Points that have to be in the picture, in whichever direction it is taken, and sizes that follow from them. */
function surveyed(motion) {
  const { data } = motion, low = new THREE.Vector3(...data.lowest), high = new THREE.Vector3(...data.highest);
  const last = data.starts[data.starts.length - 1], points = [];
  for (let k = 0; k <= SURVEY; k++) {
    const t = motion.first + ((motion.last - motion.first) * k) / SURVEY;
    const positions = motion.positions(t, data.magnification);
    for (let p = 0; p < last; p++) points.push(new THREE.Vector3().fromArray(positions, 3 * p));
  }
  for (const point of points) {
    low.min(point);
    high.max(point);
  }
  let length = 0;
  for (let p = 1; p < last; p++) length += points[p].distanceTo(points[p - 1]);
  for (const wall of data.walls.filter(({ inside }) => inside)) {
    for (const x of [-1, 1]) {
      for (const y of [-1, 1]) {
        points.push(new THREE.Vector3(wall.center[0] + x * wall.radius, wall.center[1] + y * wall.radius, low.z));
      }
    }
  }
  const size = Math.max(...new THREE.Vector3().subVectors(high, low).toArray(), 0.2 * length);
  const middle = new THREE.Vector3().addVectors(low, high).multiplyScalar(0.5);
  const near = new THREE.Vector3(0, 0, 0).clamp(low, high).length() < 0.2 * size;
  const right = orientation(data.up).right.indexOf(1);
  return {
    points, size, middle,
    radius: length * Math.min(0.011, 0.25 / data.flexible.length),
    origin: near ? new THREE.Vector3() : low, // of the axes that are drawn
    beside: middle.clone().setComponent(right, high.getComponent(right) + 0.1 * size),
  };
}
