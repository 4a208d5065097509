import { cva, type VariantProps } from "class-variance-authority"

export type ButtonStyle = VariantProps<typeof buttonStyle>

/** The style of buttons, and of links shown as buttons. */
export const buttonStyle = cva(
  "inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md border font-medium whitespace-nowrap select-none " +
    "transition-colors disabled:cursor-not-allowed disabled:opacity-50 aria-disabled:cursor-not-allowed " +
    "aria-disabled:opacity-60 [&_svg]:size-4 [&_svg]:shrink-0",
  {
    variants: {
      variant: {
        default: "border-line-strong bg-panel text-text shadow-control hover:bg-sunken",
        primary: "border-accent bg-accent text-on-accent shadow-control hover:border-accent/90 hover:bg-accent/90",
        outlined: "border-line-strong bg-panel text-bad shadow-control hover:border-bad",
        danger: "border-bad bg-bad text-on-bad shadow-control hover:border-bad/90 hover:bg-bad/90",
        ghost: "border-transparent bg-transparent text-muted hover:bg-wait-soft hover:text-text",
        link: "border-transparent bg-transparent text-accent underline-offset-4 hover:underline",
      },
      size: {
        small: "h-6 px-2 text-xs [&_svg]:size-3.5",
        medium: "h-8 px-3 text-sm",
        large: "h-10 px-4 text-base",
      },
    },
    compoundVariants: [{ variant: "link", class: "h-auto px-0" }],
    defaultVariants: { variant: "default", size: "medium" },
  },
)
