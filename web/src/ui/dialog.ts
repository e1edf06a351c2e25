import { button, h } from "./dom.ts";

/** Shows a dialog. Escape and a click beside it close it. */
export function showDialog(title: string, ...content: Node[]): HTMLDialogElement {
  const dialog = h(
    "dialog",
    { attributes: { "aria-label": title } },
    h("header", {}, h("h2", {}, title), button("×", () => dialog.close(), { class: "icon", attributes: { "aria-label": "Close" } })),
    ...content,
  );
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
