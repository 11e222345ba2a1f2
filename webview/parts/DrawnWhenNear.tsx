import { type ReactNode, useEffect, useRef, useState } from 'react';

interface Props {
  /** The height of the content in pixels. */
  readonly height: number;
  /** Whether the content is drawn at once. */
  readonly now: boolean;
  readonly children: () => ReactNode;
}

/** The distance from the visible area at which the content is drawn, in pixels. */
const NEAR = 480;

/** Draws its content once it is near the visible area. Until then, an empty area has the content's height. */
export function DrawnWhenNear({ height, now, children }: Props) {
  const area = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(now);
  useEffect(() => {
    if (near || !area.current) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setNear(true),
      // The default root ignores the margin in a frame of another origin.
      { root: area.current.closest('.page'), rootMargin: `${NEAR}px` },
    );
    observer.observe(area.current);
    return () => observer.disconnect();
  }, [near]);
  return near ? children() : <div ref={area} style={{ height }} />;
}
