/** The `ref` of a control that appears without a click: focuses it, unless another control has the focus. */
export function takeFocus(control: HTMLElement | null) {
  if (control && document.activeElement === document.body) control.focus()
}
