/** The fill patterns for kinds of tokens. Bars, legend, swatches and cells refer to them by id. */
export function FillPatterns() {
  return (
    <svg className="defs" width="0" height="0" aria-hidden="true">
      <defs>
        <pattern id="p-discovered" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect className="k-discovered soft" width="5" height="5" />
          <rect className="k-discovered" width="2.5" height="5" />
        </pattern>
        <pattern id="p-avoided" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">
          <rect className="k-avoided" width="1" height="6" />
        </pattern>
      </defs>
    </svg>
  );
}
