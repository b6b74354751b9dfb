import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Organization as OwnOrganization } from '@trestle/contracts/accounts/organizations'
import { useSearchParams } from 'react-router'
import { Loaded } from '../parts/loaded.js'
import { PageLayout } from '../parts/page-layout.js'
import { platformClient } from '../platform/client.js'
import { chooseOrganization, currentOrganization } from '../platform/organization-choice.engine.js'
import { accountsTexts } from '../texts/accounts.js'
import { CreateOrganization } from './create-organization.js'
import { Invitations } from './invitations.js'
import { Members } from './members.js'
import { Dissolve, Leave, Rename } from './organization-actions.js'
import { RoleBadges } from './role-badges.js'
import { isOwner, mayManage } from './roles.js'

const texts = accountsTexts.organization

/** The organization that was chosen, or the one joined first; a form to create one where there is none, or another one is wanted. */
export default function OrganizationPage() {
  const organizations = useQuery({
    queryKey: ['accounts', 'organizations'],
    queryFn: () => platformClient.accounts.organizations.list(),
    refetchInterval: 30_000,
  })
  const [search, setSearch] = useSearchParams()
  const isAnother = search.has('new')
  const shared = organizations.data?.filter(({ personal }) => !personal)
  const own = shared?.find(({ id }) => id === currentOrganization()) ?? shared?.[0]
  function show(id: string) {
    chooseOrganization(id)
    setSearch({}, { replace: true })
  }
  if (own && !isAnother) return <Own own={own} key={own.id} />
  return (
    <PageLayout title={texts.title}>
      <Loaded query={organizations}>{() => <CreateOrganization onCreated={isAnother ? show : undefined} />}</Loaded>
    </PageLayout>
  )
}

function Own({ own }: { own: OwnOrganization }) {
  const manages = mayManage(own.roles)
  return (
    <PageLayout
      title={own.name}
      description={<RoleBadges label={texts.yourRoles} roles={own.roles} />}
      actions={
        <>
          {manages && <Rename own={own} />}
          <Leave own={own} />
          {isOwner(own.roles) && <Dissolve own={own} />}
        </>
      }
    >
      {!manages && (
        <Alert variant="light" color="gray">
          {texts.readOnly}
        </Alert>
      )}
      <Members own={own} />
      {manages && <Invitations own={own} />}
    </PageLayout>
  )
}
