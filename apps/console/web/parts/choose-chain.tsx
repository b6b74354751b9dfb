import { Button, Group, SegmentedControl } from '@mantine/core'
import type { Area } from '@trestle/contracts/areas'
import type { ReactNode } from 'react'
import { Link, Navigate, useNavigate } from 'react-router'
import { useChains } from '../platform/use-chains.js'
import { chains } from '../texts/chains.js'
import { EmptyState } from './empty-state.js'
import { Loaded } from './loaded.js'
import { PageLayout } from './page-layout.js'

interface ChooseChainProps {
  area: Area
  chain: string
  /** The page of a chain. */
  to: (chain: string) => string
}

/** Leads from the page of one chain to that of another. */
export function ChooseChain({ area, chain, to }: ChooseChainProps) {
  const navigate = useNavigate()
  const { data = [] } = useChains(area)
  // The one that is shown stands there from the first moment on: nothing jumps.
  const names = data.some(({ name }) => name === chain) ? data.map(({ name }) => name) : [chain]
  return (
    <SegmentedControl
      aria-label={chains.choose}
      value={chain}
      onChange={(name) => void navigate(to(name))}
      data={names.map((name) => ({ value: name, label: chains.names[name] ?? name }))}
    />
  )
}

/** Leads to the first chain that answers. */
export function FirstChain({ area, to, title }: Pick<ChooseChainProps, 'area' | 'to'> & { title: string }) {
  const query = useChains(area)
  return (
    <PageLayout title={title}>
      <Loaded query={query}>
        {(found) => {
          const first = found.find(({ state }) => state === 'up') ?? found[0]
          return first ? <Navigate to={to(first.name)} replace /> : <EmptyState title={chains.none.title} text={chains.none.text} />
        }}
      </Loaded>
    </PageLayout>
  )
}

/** The pages of a chain, or that this platform does without it. */
export function OfChain({ area, chain, to, children }: ChooseChainProps & { children: ReactNode }) {
  const { data } = useChains(area)
  if (!data || data.length === 0 || data.some(({ name }) => name === chain)) return children
  const title = chains.names[chain] ?? chain
  return (
    <PageLayout title={title}>
      <EmptyState title={title} text={chains.absent.text}>
        <Group component="nav" aria-label={chains.absent.others}>
          {data.map(({ name }) => (
            <Button key={name} component={Link} to={to(name)} variant="default">
              {chains.names[name] ?? name}
            </Button>
          ))}
        </Group>
      </EmptyState>
    </PageLayout>
  )
}
