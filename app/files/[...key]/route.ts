import { pictureFolder } from "@/lib/contacts/images/image-keys"
import { showFile } from "@/lib/platform/storage/show-file"

export async function GET(_request: Request, { params }: RouteContext<"/files/[...key]">): Promise<Response> {
  return showFile((await params).key.join("/"), pictureFolder)
}
