import { problem } from "@/lib/platform/http/problem"

export const imageTooLarge = problem("image.too_large", 413, "Image too large", "A profile image may hold 5 MiB.")
export const imageTypeUnsupported = problem(
  "image.unsupported_type",
  400,
  "Image type not supported",
  "A profile image is a JPEG, PNG, WebP or GIF. The first bytes of the file decide, not its name.",
)
export const imageUnusable = problem(
  "image.unusable",
  400,
  "Image cannot be used",
  "The file is damaged or cut short, or it has more than 25 million pixels over all frames, or more than 256 frames.",
)
