import { Badge, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { LostKey, RegionSigner } from '@trestle/contracts/staking/custody'
import { ConfirmButton } from '../parts/confirm-button.js'
import { Hash } from '../parts/copy-button.js'
import { type Column, DataTable } from '../parts/data-table.js'
import { Loaded } from '../parts/loaded.js'
import { SectionTitle } from '../parts/panel.js'
import { Time } from '../parts/time.js'
import { platformClient } from '../platform/client.js'
import { administrationTexts } from '../texts/administration.js'

const texts = administrationTexts.signers
const SIGNERS = ['administration', 'signers']
const LOST_KEYS = ['administration', 'lost-keys']
const COLOR = { bound: 'teal', other: 'red', away: 'orange' }
const REFRESH_MS = 10_000

/** Which signer each region is bound to, and the keys that signers lost. */
export function SignersPanel() {
  const signers = useQuery({ queryKey: SIGNERS, queryFn: () => platformClient.staking.custody.signers(), refetchInterval: REFRESH_MS })
  const keys = useQuery({ queryKey: LOST_KEYS, queryFn: () => platformClient.staking.custody.lostKeys(), refetchInterval: REFRESH_MS })
  return (
    <Stack align="stretch">
      <Text size="sm" maw={760}>
        {texts.text}
      </Text>
      <Loaded query={signers}>
        {(rows) => (
          <DataTable
            label={administrationTexts.sections.signers}
            rows={rows}
            columns={COLUMNS}
            keyOf={({ chain, region }) => `${chain} ${region}`}
            empty={texts.none}
            minWidth={860}
          />
        )}
      </Loaded>
      <SectionTitle>{texts.lostKeys}</SectionTitle>
      <Text size="sm" maw={760}>
        {texts.lostText}
      </Text>
      <Loaded query={keys}>
        {(rows) => (
          <DataTable
            label={texts.lostKeys}
            rows={rows}
            columns={LOST}
            keyOf={({ pubkey }) => pubkey}
            empty={texts.noneLost}
            minWidth={860}
          />
        )}
      </Loaded>
    </Stack>
  )
}

const COLUMNS: readonly Column<RegionSigner>[] = [
  { name: 'region', header: texts.region, cell: ({ chain, region }) => `${chain} ${region}` },
  { name: 'state', header: texts.state, cell: ({ state }) => <State state={state} />, width: '150px' },
  { name: 'keys', header: texts.keys, cell: ({ keys, unknownKeys }) => texts.keyCount(keys, unknownKeys), width: '150px' },
  { name: 'identity', header: texts.identity, cell: (signer) => <Identity signer={signer} />, width: '2fr' },
  { name: 'details', header: texts.details, cell: ({ away }) => away?.reason, width: '2fr' },
  { name: 'actions', header: texts.actions, cell: (signer) => <Accept signer={signer} />, width: '140px', align: 'right' },
]

const LOST: readonly Column<LostKey>[] = [
  { name: 'pubkey', header: texts.pubkey, cell: ({ pubkey }) => <Hash value={pubkey} short label={texts.pubkey} />, width: '2fr' },
  { name: 'region', header: texts.region, cell: ({ chain, region }) => `${chain} ${region}` },
  { name: 'lost', header: texts.lost, cell: ({ lostAt }) => <Time value={lostAt} />, width: '130px' },
  { name: 'silent', header: texts.silent, cell: ({ silentEpochs }) => silentEpochs, width: '130px', align: 'right' },
  { name: 'allowed', header: texts.allowed, cell: ({ allowedAt }) => allowedAt && <Time value={allowedAt} />, width: '130px' },
  { name: 'actions', header: texts.actions, cell: (key) => <Recover lostKey={key} />, width: '150px', align: 'right' },
]

/** Of what answers. */
function Identity({ signer: { identity, other } }: { signer: RegionSigner }) {
  const shown = other?.identity ?? identity
  return shown ? <Hash value={shown} short label={texts.identity} /> : null
}

function State({ state }: Pick<RegionSigner, 'state'>) {
  return (
    <Badge variant="light" color={COLOR[state]} tt="none">
      {texts.states[state]}
    </Badge>
  )
}

function Accept({ signer: { chain, region, other } }: { signer: RegionSigner }) {
  const client = useQueryClient()
  if (!other) return null
  async function accept(identity: string) {
    await platformClient.staking.custody.accept({ params: { chain, region }, body: { identity } })
    notifications.show({ message: texts.accepted })
    await client.invalidateQueries({ queryKey: ['administration'] })
  }
  return (
    <ConfirmButton action={texts.accept} title={texts.acceptTitle(region)} size="xs" word={region} onConfirm={() => accept(other.identity)}>
      <Text>{texts.acceptText}</Text>
    </ConfirmButton>
  )
}

function Recover({ lostKey: { pubkey } }: { lostKey: LostKey }) {
  const client = useQueryClient()
  async function recover() {
    await platformClient.staking.custody.recover({ params: { pubkey } })
    notifications.show({ message: texts.recovering })
    await client.invalidateQueries({ queryKey: LOST_KEYS })
  }
  return (
    <ConfirmButton action={texts.recover} title={texts.recoverTitle} size="xs" word={pubkey.slice(0, 8)} onConfirm={recover}>
      <Text>{texts.recoverText}</Text>
    </ConfirmButton>
  )
}
