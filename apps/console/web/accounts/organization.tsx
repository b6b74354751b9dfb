import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Organization as OwnOrganization } from '@trestle/contracts/accounts/organizations'
import { Loaded } from '../parts/loaded.js'
import { PageLayout } from '../parts/page-layout.js'
import { platformClient } from '../platform/client.js'
import { accountsTexts } from '../texts/accounts.js'
import { CreateOrganization } from './create-organization.js'
import { Invitations } from './invitations.js'
import { Members } from './members.js'
import { Dissolve, Leave, Rename } from './organization-actions.js'
import { RoleBadges } from './role-badges.js'
import { isOwner, mayManage } from './roles.js'

const texts = accountsTexts.organization

/** The user's organization, or a form to create one. */
export default function OrganizationPage() {
  const organizations = useQuery({
    queryKey: ['accounts', 'organizations'],
    queryFn: () => platformClient.accounts.organizations.list(),
    refetchInterval: 30_000,
  })
  const own = organizations.data?.find(({ personal }) => !personal)
  if (own) return <Own own={own} key={own.id} />
  return (
    <PageLayout title={texts.title}>
      <Loaded query={organizations}>{() => <CreateOrganization />}</Loaded>
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
