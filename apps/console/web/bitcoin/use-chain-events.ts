import { useDocumentVisibility } from '@mantine/hooks'
import { Problem } from '@trestle/problem/problem'
import { useEffect, useEffectEvent, useState } from 'react'
import { platformClient } from '../platform/client.js'

type Stream = ReturnType<ReturnType<typeof platformClient.utxo>['events']['stream']>
type ChainEvent = Stream extends AsyncGenerator<infer E, void> ? E : never
/** A transaction that the node has just heard of. */
export type MempoolArrival = Extract<ChainEvent, { event: 'tx' }>['data']

const RETRY_MS = 30_000

/**
 * Tells of what happens on a chain while the page is in sight: a browser has few connections, and every stream keeps one.
 * False while there is no stream: then what is shown should be asked for more often.
 */
export function useChainEvents(
  chain: string,
  { events, address }: { events: string; address?: string },
  tell: (event: ChainEvent) => void,
) {
  const isSeen = useDocumentVisibility() === 'visible'
  const [isLive, setLive] = useState(true)
  const told = useEffectEvent(tell)
  useEffect(() => {
    if (!isSeen) return undefined
    const end = new AbortController()
    const { signal } = end
    let timer: ReturnType<typeof setTimeout> | undefined
    async function follow(): Promise<void> {
      try {
        setLive(true)
        for await (const event of platformClient.utxo(chain).events.stream({ query: { events, ...(address && { address }) }, signal }))
          told(event)
      } catch {
        if (signal.aborted) return
        setLive(false)
        timer = setTimeout(() => void follow(), RETRY_MS)
      }
    }
    void follow()
    return () => {
      end.abort()
      clearTimeout(timer)
    }
  }, [chain, events, address, isSeen])
  return isLive
}

/** How often to ask, with and without a stream: one that has silently broken off is noticed too. What was asked wrongly is not asked again. */
export function refetchMs(isLive: boolean, error?: unknown): number | false {
  if (error instanceof Problem && error.status === 400) return false
  return isLive ? 30_000 : 5_000
}
