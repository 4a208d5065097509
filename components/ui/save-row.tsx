import { Button } from "@/components/ui/button"
import { CardFooter } from "@/components/ui/card"

/** The foot of a card that was changed. The Tab key comes from the last field to Save, which is drawn behind Discard. */
export function SaveRow({ saving, onReset }: { saving: boolean; onReset: () => void }) {
  return (
    <CardFooter className="flex-row-reverse justify-start">
      <Button type="submit" variant="primary" loading={saving}>
        Save
      </Button>
      <Button onClick={onReset}>Discard</Button>
    </CardFooter>
  )
}
