// The 3D view of an arm is loaded when its button is pressed.
document.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-space-view]");
  if (!button) return;
  const frame = document.createElement("iframe");
  frame.src = button.dataset.spaceView;
  frame.title = button.textContent;
  frame.className = "space-view";
  button.replaceWith(frame);
});
