import { pictureFolder } from "@/lib/contacts/images/data"
import { showFile } from "@/lib/platform/storage/storage"

export async function GET(_request: Request, { params }: RouteContext<"/files/[...key]">): Promise<Response> {
  return showFile((await params).key.join("/"), pictureFolder)
}
