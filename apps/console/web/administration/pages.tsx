import { Route, Routes, useParams } from 'react-router'
import { NotFound } from '../layout/not-found.js'
import { Empty } from '../parts/empty.js'
import { Page } from '../parts/page.js'
import { PageTabs } from '../parts/page-tabs.js'
import { useSession } from '../platform/use-session.js'
import { administration as texts } from '../texts/administration.js'
import { Catalogue } from './catalogue.js'
import { Delivery } from './delivery.js'
import { Mails } from './mails.js'
import { Services } from './services.js'
import { SigningKeys } from './signing-keys.js'
import { User } from './user.js'
import { Users } from './users.js'

const TABS = [
  { at: 'users', label: texts.sections.users, content: () => <Users /> },
  { at: 'services', label: texts.sections.services, content: () => <Services /> },
  { at: 'mails', label: texts.sections.mails, content: () => <Mails /> },
  { at: 'delivery', label: texts.sections.delivery, content: () => <Delivery /> },
  { at: 'signing-keys', label: texts.sections.signingKeys, content: () => <SigningKeys /> },
  { at: 'catalogue', label: texts.sections.catalogue, content: () => <Catalogue /> },
]

/** For those whose token says that they administer the platform. */
export default function Administration() {
  const { data } = useSession()
  if (!data?.manager)
    return (
      <Page title={texts.title}>
        <Empty title={texts.forbidden} text={texts.forbiddenText} />
      </Page>
    )
  return (
    <Routes>
      <Route path="users/:id" element={<User />} />
      <Route path=":tab?" element={<Sections />} />
      <Route path="*" element={<NotFound />} />
    </Routes>
  )
}

function Sections() {
  const { tab } = useParams()
  return (
    <Page title={texts.title}>
      <PageTabs label={texts.title} page="/app/administration" tab={tab} tabs={TABS} />
    </Page>
  )
}
