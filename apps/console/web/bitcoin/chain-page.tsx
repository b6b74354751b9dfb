import { Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { ChooseChain } from '../parts/choose-chain.js'
import { PageLayout } from '../parts/page-layout.js'
import { bitcoinPath, useBitcoinChain } from './chain.js'
import { Search } from './search.js'

interface FrameProps {
  title: string
  description?: ReactNode
  actions?: ReactNode
  /** The overview itself has nothing above it. */
  isFirst?: boolean
  children: ReactNode
}

/** A page about a chain: from each of them one can look for something else. */
export function ChainPage({ isFirst = false, children, ...page }: FrameProps) {
  const { chain, at, title: chainTitle } = useBitcoinChain()
  return (
    <PageLayout {...page} above={isFirst ? [] : [{ to: at(), label: chainTitle }]}>
      <Stack gap="lg">
        <Group align="flex-start">
          {isFirst && <ChooseChain area="btc-connect" chain={chain} to={bitcoinPath} />}
          <Search />
        </Group>
        {children}
      </Stack>
    </PageLayout>
  )
}
