import { Badge, Card, Group, Progress, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { SyncStatus } from '@trestle/contracts/btc-connect/status'
import { formatCount } from '../parts/amount.js'
import { FactList } from '../parts/fact-list.js'
import { Loaded } from '../parts/loaded.js'
import { bitcoinTexts } from '../texts/bitcoin.js'
import { useBitcoinChain } from './chain.js'
import { refetchMs } from './use-chain-events.js'

const texts = bitcoinTexts.status

/** How far the index is, and what it hears from its node. */
export function StatusPanel({ isLive }: { isLive: boolean }) {
  const { chain, api } = useBitcoinChain()
  const sync = useQuery({
    queryKey: ['bitcoin', 'sync', chain],
    queryFn: () => api.status.sync(),
    refetchInterval: ({ state: { data } }) => (data?.status === 'finished' ? refetchMs(isLive) : 2_000),
  })
  const peer = useQuery({ queryKey: ['bitcoin', 'peer', chain], queryFn: () => api.status.peer(), refetchInterval: 30_000 })
  const network = useQuery({ queryKey: ['bitcoin', 'network', chain], queryFn: () => api.status.show(), refetchInterval: 30_000 })
  const info = network.data?.info
  return (
    <Card withBorder component="section" aria-label={texts.label} mih={120}>
      <Loaded query={sync} rows={2}>
        {(state) => (
          <Stack gap="sm">
            <FactList
              columns={4}
              facts={[
                [texts.height, <Height key="height" state={state} isLive={isLive} />],
                [texts.index, texts.states[state.status]],
                [texts.node, <Node key="node" isConnected={peer.data?.connected} peers={info?.connections} />],
                [texts.network, info ? (texts.networks[info.network] ?? info.network) : '–'],
              ]}
            />
            <SyncProgress state={state} />
          </Stack>
        )}
      </Loaded>
    </Card>
  )
}

function Height({ state: { height }, isLive }: { state: SyncStatus; isLive: boolean }) {
  return (
    <Group gap="xs">
      <Text component="span" fw={650} aria-live="off">
        {formatCount(height)}
      </Text>
      <Badge variant="light" color={isLive ? 'teal' : 'gray'} tt="none" title={isLive ? texts.liveTitle : texts.pollingTitle}>
        {isLive ? texts.live : texts.polling}
      </Badge>
    </Group>
  )
}

function Node({ isConnected, peers }: { isConnected?: boolean; peers?: number }) {
  if (isConnected === undefined) return '–'
  if (!isConnected) return <Text c="red">{texts.away}</Text>
  return texts.connected + (peers === undefined ? '' : `, ${texts.peers(peers)}`)
}

/** Only while there is something to wait for. */
function SyncProgress({ state }: { state: SyncStatus }) {
  const said = state.error ?? state.note
  if (state.status === 'finished' && !said) return null
  return (
    <Stack gap={4}>
      {state.status !== 'finished' && (
        <>
          <Progress value={state.syncPercentage} aria-label={texts.index} />
          <Text size="sm">{texts.left(state.syncPercentage, formatCount(state.blocksLeft), state.secondsLeft)}</Text>
        </>
      )}
      {said && <Text size="sm">{said}</Text>}
    </Stack>
  )
}
