const placeId = "compose-actions"

/** Where the actions go, in the header of the page, which is there before the form is loaded. */
export function ActionsPlace() {
  return <div id={placeId} className="contents" />
}

export function actionsPlace(): HTMLElement | null {
  return document.getElementById(placeId)
}
