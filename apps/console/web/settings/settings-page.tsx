import { PageLayout } from '../parts/page-layout.js'
import { settingsTexts as texts } from '../texts/settings.js'
import { AboutSection } from './about-section.js'
import { AppearanceSection } from './appearance.js'
import { DataSection } from './data.js'
import { DeletionSection } from './deletion.js'
import { EmailSection } from './email.js'
import { IdentitiesSection } from './identities.js'
import { PasswordSection } from './password.js'
import { ProfileSection } from './profile.js'
import { SecondFactorsSection } from './second-factors.js'
import { SessionsSection } from './sessions.js'

/** /app/settings */
export default function Settings() {
  return (
    <PageLayout title={texts.title}>
      <ProfileSection />
      <PasswordSection />
      <EmailSection />
      <IdentitiesSection />
      <SecondFactorsSection />
      <SessionsSection />
      <AppearanceSection />
      <AboutSection />
      <DataSection />
      <DeletionSection />
    </PageLayout>
  )
}
