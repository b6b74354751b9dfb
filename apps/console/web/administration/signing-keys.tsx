import { Badge, Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { SigningKey } from '@trestle/contracts/accounts/administration'
import { ConfirmButton } from '../parts/confirm-button.js'
import { Hash } from '../parts/copy-button.js'
import { type Column, DataTable } from '../parts/data-table.js'
import { Loaded } from '../parts/loaded.js'
import { Time } from '../parts/time.js'
import { platformClient } from '../platform/client.js'
import { administrationTexts } from '../texts/administration.js'

const texts = administrationTexts.signingKeys
const KEYS = ['administration', 'signing-keys']
const COLOR = { pending: 'orange', active: 'teal', retired: 'gray', compromised: 'red' }

export function SigningKeysPanel() {
  const client = useQueryClient()
  const keys = useQuery({ queryKey: KEYS, queryFn: () => platformClient.accounts.administration.signingKeys(), refetchInterval: 10_000 })
  async function rotate() {
    client.setQueryData(KEYS, await platformClient.accounts.administration.rotate())
  }
  return (
    <Stack>
      <Group justify="space-between" align="flex-start">
        <Text size="sm" maw={760}>
          {texts.text}
        </Text>
        <ConfirmButton action={texts.rotate} title={texts.rotateTitle} color="cyan" onConfirm={rotate}>
          <Text>{texts.rotateText}</Text>
        </ConfirmButton>
      </Group>
      <Loaded query={keys}>
        {(rows) => (
          <DataTable
            label={administrationTexts.sections.signingKeys}
            rows={rows}
            columns={COLUMNS}
            keyOf={({ kid }) => kid}
            minWidth={760}
          />
        )}
      </Loaded>
    </Stack>
  )
}

const COLUMNS: readonly Column<SigningKey>[] = [
  { name: 'family', header: texts.family, cell: ({ family }) => texts.families[family] },
  { name: 'state', header: texts.state, cell: ({ state }) => <State state={state} /> },
  { name: 'kid', header: texts.kid, cell: ({ kid }) => <Hash value={kid} short label={texts.kid} />, width: '2fr' },
  { name: 'created', header: texts.created, cell: ({ createdAt }) => <Time value={createdAt} /> },
  { name: 'actions', header: texts.actions, cell: (key) => <Compromise signingKey={key} />, width: '200px', align: 'right' },
]

function Compromise({ signingKey: { kid, family, state } }: { signingKey: SigningKey }) {
  const client = useQueryClient()
  async function declare() {
    client.setQueryData(KEYS, await platformClient.accounts.administration.compromise({ params: { kid } }))
    notifications.show({ message: texts.compromised })
  }
  if (state === 'compromised') return null
  return (
    <ConfirmButton action={texts.compromise} title={texts.compromiseTitle} size="xs" word={kid.slice(0, 8)} onConfirm={declare}>
      <Text>{texts.compromiseText[family]}</Text>
      <Text>{texts.compromiseNew}</Text>
    </ConfirmButton>
  )
}

function State({ state }: Pick<SigningKey, 'state'>) {
  return (
    <Badge variant="light" color={COLOR[state]} tt="none">
      {texts.states[state]}
    </Badge>
  )
}
