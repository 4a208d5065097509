/** As the `ref` of a control that appears by itself: it is focused, unless somebody is at another one. */
export function takeFocus(control: HTMLElement | null) {
  if (control && document.activeElement === document.body) control.focus()
}
