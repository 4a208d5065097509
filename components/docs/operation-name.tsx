type OperationNameProps = { method: string; path: string }

/** Method and path, which may break after each part. */
export function OperationName({ method, path }: OperationNameProps) {
  return (
    <code className="mono [overflow-wrap:anywhere]">
      <span className="font-semibold text-accent">{method}</span> <span className="text-muted">{path}</span>
    </code>
  )
}
