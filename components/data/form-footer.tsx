import { Button } from "@/components/ui/button"
import { DialogClose, DialogFooter } from "@/components/ui/dialog"

type FormFooterProps = {
  /** What sending the form does, as on its button. */
  action: string
  saving: boolean
}

/** The end of a form in a dialog: what it does, and the way out. */
export function FormFooter({ action, saving }: FormFooterProps) {
  return (
    <DialogFooter>
      <Button type="submit" variant="primary" loading={saving}>
        {action}
      </Button>
      <DialogClose>
        <Button>Cancel</Button>
      </DialogClose>
    </DialogFooter>
  )
}
