import { Badge, Group, Stack, Text } from '@mantine/core'
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
            minWidth={560}
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
]

function State({ state }: Pick<SigningKey, 'state'>) {
  return (
    <Badge variant="light" color={COLOR[state]} tt="none">
      {texts.states[state]}
    </Badge>
  )
}
