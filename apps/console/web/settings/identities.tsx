import { Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { ProviderIdentity } from '@trestle/contracts/accounts/identities'
import { useState } from 'react'
import { ConfirmButton } from '../parts/confirm-button.js'
import { type Column, DataTable } from '../parts/data-table.js'
import { Panel } from '../parts/panel.js'
import { ProblemNotice } from '../parts/problem-notice.js'
import { Time } from '../parts/time.js'
import { platformClient } from '../platform/client.js'
import { OwnerPassword } from '../second-factors/owner-password.js'
import { useFactorsChange } from '../second-factors/use-factors.js'
import { useIdentities } from '../second-factors/use-identities.js'
import { settingsTexts } from '../texts/settings.js'

const texts = settingsTexts.identities

/** Nothing where the user has none. */
export function IdentitiesSection() {
  const { data = [], error } = useIdentities()
  if (data.length === 0 && !error) return null
  return (
    <Panel title={texts.title} text={texts.text}>
      {error ? (
        <ProblemNotice error={error} />
      ) : (
        <DataTable label={texts.title} rows={data} columns={COLUMNS} keyOf={({ id }) => id} minWidth={700} />
      )}
    </Panel>
  )
}

const COLUMNS: readonly Column<ProviderIdentity>[] = [
  { name: 'provider', header: texts.provider, cell: titleOf },
  { name: 'who', header: texts.who, cell: (identity) => <Who identity={identity} />, width: '2fr' },
  { name: 'linked', header: texts.linked, cell: ({ linkedAt }) => <Time value={linkedAt} /> },
  { name: 'used', header: texts.used, cell: ({ lastUsedAt }) => <Time value={lastUsedAt} /> },
  { name: 'unlink', header: texts.actions, cell: (identity) => <Unlink identity={identity} />, width: '120px', align: 'right' },
]

function Who({ identity: { name, email, subject } }: { identity: ProviderIdentity }) {
  const said = [name, email].filter((each) => each !== undefined)
  return (
    <Text inherit title={subject} truncate>
      {said.length > 0 ? said.join(', ') : subject}
    </Text>
  )
}

function Unlink({ identity }: { identity: ProviderIdentity }) {
  const [password, setPassword] = useState('')
  const changed = useFactorsChange()
  const title = titleOf(identity)
  async function unlink() {
    await platformClient.accounts.identities.unlink({ params: { id: identity.id }, body: { password: password || undefined } })
    setPassword('')
    notifications.show({ message: texts.unlinked(title) })
    await changed()
  }
  return (
    <ConfirmButton action={texts.unlink} title={texts.unlinkTitle(title)} size="xs" onConfirm={unlink}>
      <Stack>
        <Text>{texts.unlinkText}</Text>
        <OwnerPassword label={texts.password} value={password} onChange={(event) => setPassword(event.currentTarget.value)} />
      </Stack>
    </ConfirmButton>
  )
}

function titleOf({ provider, title = provider }: ProviderIdentity): string {
  return title
}
