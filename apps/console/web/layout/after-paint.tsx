import { type ReactNode, useSyncExternalStore } from 'react'

let isPainted = false
const listeners = new Set<() => void>()

/** Rendered after the first paint: the prerendered page does without it. */
export function AfterPaint({ fallback, children }: { fallback?: ReactNode; children: ReactNode }) {
  const isDue = useSyncExternalStore(
    subscribe,
    () => isPainted,
    () => false,
  )
  return isDue ? children : fallback
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  if (!isPainted && listeners.size === 1) awaitPaint()
  return () => listeners.delete(listener)
}

/** A frame is painted before the next task. */
function awaitPaint(): void {
  requestAnimationFrame(() => setTimeout(notify))
}

function notify(): void {
  isPainted = true
  for (const listener of listeners) listener()
}
