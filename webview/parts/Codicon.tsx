/** An icon from VS Code's set. Without a label, it is decoration. */
export function Codicon({
  name,
  tone = '',
  label,
}: {
  readonly name: string;
  readonly tone?: string;
  readonly label?: string;
}) {
  const className = `codicon codicon-${name} ${tone}`;
  return label ? (
    <i className={className} role="img" aria-label={label} title={label} />
  ) : (
    <i className={className} aria-hidden="true" />
  );
}
