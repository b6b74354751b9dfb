import { Alert, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ManagedUser } from '@trestle/contracts/accounts/administration'
import { useParams } from 'react-router'
import { ConfirmButton } from '../parts/confirm-button.js'
import { Hash } from '../parts/copy-button.js'
import { FactList } from '../parts/fact-list.js'
import { Loaded } from '../parts/loaded.js'
import { PageLayout } from '../parts/page-layout.js'
import { exactTime } from '../parts/time.js'
import { platformClient } from '../platform/client.js'
import { administrationTexts } from '../texts/administration.js'
import { LimitsPanels } from './limits-panel.js'
import { QuotaPanel } from './quota-panel.js'
import { UserState } from './user-state.js'

const texts = administrationTexts.user
const ABOVE = [{ to: '/app/administration', label: administrationTexts.sections.users }]

export function UserPage() {
  const { id = '' } = useParams()
  const user = useQuery({
    queryKey: ['administration', 'user', id],
    queryFn: () => platformClient.accounts.administration.user({ params: { id } }),
    refetchInterval: 30_000,
  })
  return (
    <PageLayout title={user.data?.email ?? texts.title} above={ABOVE} actions={user.data && <Switch user={user.data} />}>
      <Loaded query={user} rows={6}>
        {(known) => (
          <Stack gap="lg">
            <About user={known} />
            <QuotaPanel userId={known.id} />
            <LimitsPanels userId={known.id} />
          </Stack>
        )}
      </Loaded>
    </PageLayout>
  )
}

function About({ user }: { user: ManagedUser }) {
  const { id, displayName, entityType, createdAt, verifiedAt, disabledAt } = user
  return (
    <FactList
      facts={[
        [administrationTexts.users.state, <UserState key="state" user={user} />],
        [administrationTexts.users.name, displayName],
        [administrationTexts.users.entityType, administrationTexts.users.entityTypes[entityType]],
        [texts.id, <Hash key="id" value={id} label={texts.id} />],
        [texts.created, exactTime(createdAt)],
        [texts.verified, verifiedAt ? exactTime(verifiedAt) : texts.never],
        disabledAt !== undefined && [texts.disabledAt, exactTime(disabledAt)],
      ]}
    />
  )
}

/** Disables or enables a user. */
function Switch({ user: { id, email, disabledAt } }: { user: ManagedUser }) {
  const client = useQueryClient()
  const me = useQuery({ queryKey: ['accounts', 'me'], queryFn: () => platformClient.accounts.users.me() })
  const { disable, enable } = platformClient.accounts.administration
  async function change() {
    const changed = await (disabledAt ? enable : disable)({ params: { id } })
    client.setQueryData(['administration', 'user', id], changed)
    await client.invalidateQueries({ queryKey: ['administration', 'users'] })
  }
  if (disabledAt)
    return (
      <ConfirmButton action={texts.enable} title={texts.enableTitle(email)} color="teal" onConfirm={change}>
        <Text>{texts.enableText}</Text>
      </ConfirmButton>
    )
  return (
    <ConfirmButton action={texts.disable} title={texts.disableTitle(email)} onConfirm={change}>
      <Text>{texts.disableText}</Text>
      {me.data?.id === id && <Alert color="red">{texts.disableSelf}</Alert>}
    </ConfirmButton>
  )
}
