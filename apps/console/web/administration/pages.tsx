import { Route, Routes, useParams } from 'react-router'
import { NotFound } from '../layout/not-found.js'
import { EmptyState } from '../parts/empty-state.js'
import { PageLayout } from '../parts/page-layout.js'
import { PageTabs } from '../parts/page-tabs.js'
import { useSession } from '../platform/use-session.js'
import { administrationTexts as texts } from '../texts/administration.js'
import { CataloguePanel } from './catalogue.js'
import { DeliveryPanel } from './delivery.js'
import { MailsPanel } from './mails.js'
import { SecurityLogPanel } from './security-log.js'
import { ServicesPanel } from './services.js'
import { SignersPanel } from './signers.js'
import { SigningKeysPanel } from './signing-keys.js'
import { UserPage } from './user-page.js'
import { UsersPanel } from './users.js'

const TABS = [
  { at: 'users', label: texts.sections.users, content: () => <UsersPanel /> },
  { at: 'services', label: texts.sections.services, content: () => <ServicesPanel /> },
  { at: 'mails', label: texts.sections.mails, content: () => <MailsPanel /> },
  { at: 'delivery', label: texts.sections.delivery, content: () => <DeliveryPanel /> },
  { at: 'signing-keys', label: texts.sections.signingKeys, content: () => <SigningKeysPanel /> },
  { at: 'signers', label: texts.sections.signers, content: () => <SignersPanel /> },
  { at: 'security-log', label: texts.sections.securityLog, content: () => <SecurityLogPanel /> },
  { at: 'catalogue', label: texts.sections.catalogue, content: () => <CataloguePanel /> },
]

/** For users whose token has the administrator audience. */
export default function Administration() {
  const { data } = useSession()
  if (!data?.manager)
    return (
      <PageLayout title={texts.title}>
        <EmptyState title={texts.forbidden} text={texts.forbiddenText} />
      </PageLayout>
    )
  return (
    <Routes>
      <Route path="users/:id" element={<UserPage />} />
      <Route path=":tab?" element={<Sections />} />
      <Route path="*" element={<NotFound />} />
    </Routes>
  )
}

function Sections() {
  const { tab } = useParams()
  return (
    <PageLayout title={texts.title}>
      <PageTabs label={texts.title} page="/app/administration" tab={tab} tabs={TABS} />
    </PageLayout>
  )
}
