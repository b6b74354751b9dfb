import type { ReactNode } from 'react'

/** A badge of one plain element, for tables: a screen full of them may come with every frame. */
export function Tag({ color, children }: { color: string; children: ReactNode }) {
  const style = { background: `var(--mantine-color-${color}-light)`, color: `var(--mantine-color-${color}-light-color)` }
  return (
    <span className="tag" style={style}>
      {children}
    </span>
  )
}
