import { type ReactNode, useSyncExternalStore } from 'react'

let isPainted = false
const hearers = new Set<() => void>()

/** What the first picture does without: it comes when that has been seen. */
export function AfterPaint({ fallback, children }: { fallback?: ReactNode; children: ReactNode }) {
  const isDue = useSyncExternalStore(
    hear,
    () => isPainted,
    () => false,
  )
  return isDue ? children : fallback
}

function hear(hearer: () => void): () => void {
  hearers.add(hearer)
  if (!isPainted && hearers.size === 1) awaitPaint()
  return () => hearers.delete(hearer)
}

/** A frame is painted before the next task. */
function awaitPaint(): void {
  requestAnimationFrame(() => setTimeout(tell))
}

function tell(): void {
  isPainted = true
  for (const hearer of hearers) hearer()
}
