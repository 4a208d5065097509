import { z } from "zod"

export const ProjectSuspension = z
  .strictObject({
    reason: z
      .string()
      .trim()
      .min(1, "Must not be empty.")
      .max(200)
      .optional()
      .describe("Shown to everyone who opens the project."),
  })
  .meta({ id: "SuspendProjectRequest" })
