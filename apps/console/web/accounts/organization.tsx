import { Alert, Stack } from '@mantine/core'
import type { Organization as OwnOrganization } from '@trestle/contracts/accounts/organizations'
import { useParams, useSearchParams } from 'react-router'
import { Loaded } from '../parts/loaded.js'
import { PageLayout } from '../parts/page-layout.js'
import { PageTabs } from '../parts/page-tabs.js'
import { currentOrganization } from '../platform/organization-choice.engine.js'
import { useOrganizationChoice, useOrganizations } from '../platform/use-organizations.js'
import { accountsTexts } from '../texts/accounts.js'
import { organizationTexts } from '../texts/organization.js'
import { ApprovalsTab } from './approvals-tab.js'
import { CreateOrganization } from './create-organization.js'
import { Invitations } from './invitations.js'
import { Members } from './members.js'
import { Dissolve, Leave, Rename } from './organization-actions.js'
import { RoleBadges } from './role-badges.js'
import { may } from './roles.js'
import { RolesTab } from './roles-tab.js'
import { ServiceAccounts } from './service-accounts.js'

const texts = accountsTexts.organization
const tabTexts = organizationTexts.tabs

/** The organization that was chosen, or the one joined first; a form to create one where there is none, or another one is wanted. */
export default function OrganizationPage() {
  const organizations = useOrganizations(30_000)
  const choose = useOrganizationChoice()
  const [search, setSearch] = useSearchParams()
  const isAnother = search.has('new')
  const shared = organizations.data?.filter(({ personal }) => !personal)
  const own = shared?.find(({ id }) => id === currentOrganization()) ?? shared?.[0]
  function show(id: string) {
    setSearch({}, { replace: true })
    void choose(id)
  }
  if (own && !isAnother) return <Own own={own} key={own.id} />
  return (
    <PageLayout title={texts.title}>
      <Loaded query={organizations}>{() => <CreateOrganization onCreated={isAnother ? show : undefined} />}</Loaded>
    </PageLayout>
  )
}

function Own({ own }: { own: OwnOrganization }) {
  const { '*': tab } = useParams()
  const tabs = [
    { at: 'members', label: tabTexts.members, content: () => <MembersTab own={own} /> },
    { at: 'roles', label: tabTexts.roles, content: () => <RolesTab own={own} /> },
    { at: 'approvals', label: tabTexts.approvals, content: () => <ApprovalsTab own={own} /> },
    { at: 'service-accounts', label: tabTexts.serviceAccounts, content: () => <ServiceAccounts own={own} /> },
  ]
  return (
    <PageLayout
      title={own.name}
      description={<RoleBadges label={texts.yourRoles} roles={own.roles} />}
      actions={
        <>
          {may(own, 'organization:write') && <Rename own={own} />}
          <Leave own={own} />
          {may(own, 'organization:delete') && <Dissolve own={own} />}
        </>
      }
    >
      <PageTabs
        label={organizationTexts.tabsLabel}
        page="/app/organization"
        tab={tab || undefined}
        tabs={may(own, 'keys:read') ? tabs : tabs.slice(0, 3)}
      />
    </PageLayout>
  )
}

function MembersTab({ own }: { own: OwnOrganization }) {
  const manages = may(own, 'members:write')
  return (
    <Stack>
      {!manages && (
        <Alert variant="light" color="gray">
          {texts.readOnly}
        </Alert>
      )}
      <Members own={own} />
      {manages && <Invitations own={own} />}
    </Stack>
  )
}
