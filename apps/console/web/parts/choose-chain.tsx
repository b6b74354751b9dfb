import { Button, Group, SegmentedControl } from '@mantine/core'
import type { Area } from '@trestle/contracts/areas'
import { CHAIN_NAME } from '@trestle/contracts/chains/chains'
import type { ReactNode } from 'react'
import { Link, Navigate, useNavigate } from 'react-router'
import { NotFound } from '../layout/not-found.js'
import { useChain, useChains } from '../platform/use-chains.js'
import { chainsTexts } from '../texts/chains.js'
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
  // The current chain is there from the first paint: nothing jumps.
  const { title } = useChain(chain)
  const all = data.some(({ name }) => name === chain) ? data : [{ name: chain, title }]
  return (
    <SegmentedControl
      aria-label={chainsTexts.choose}
      value={chain}
      onChange={(name) => void navigate(to(name))}
      data={all.map(({ name, title: label }) => ({ value: name, label }))}
    />
  )
}

/** Leads to the first chain that answers. */
export function FirstChain({ area, to, title }: Pick<ChooseChainProps, 'area' | 'to'> & { title: string }) {
  const query = useChains(area)
  return (
    <PageLayout title={title}>
      <Loaded query={query}>
        {(all) => {
          const first = all.find(({ state }) => state === 'up') ?? all[0]
          return first ? (
            <Navigate to={to(first.name)} replace />
          ) : (
            <EmptyState title={chainsTexts.none.title} text={chainsTexts.none.text} />
          )
        }}
      </Loaded>
    </PageLayout>
  )
}

/** The pages of a chain, or that the platform does not have it. */
export function WithinChain({ area, chain, to, children }: ChooseChainProps & { children: ReactNode }) {
  const { data } = useChains(area)
  const { title } = useChain(chain)
  if (!CHAIN_NAME.test(chain)) return <NotFound />
  if (!data || data.length === 0 || data.some(({ name }) => name === chain)) return children
  return (
    <PageLayout title={title}>
      <EmptyState title={title} text={chainsTexts.absent.text}>
        <Group component="nav" aria-label={chainsTexts.absent.others}>
          {data.map(({ name, title: label }) => (
            <Button key={name} component={Link} to={to(name)} variant="default">
              {label}
            </Button>
          ))}
        </Group>
      </EmptyState>
    </PageLayout>
  )
}
