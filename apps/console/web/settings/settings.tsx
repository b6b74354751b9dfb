import { Page } from '../parts/page.js'
import { settings as texts } from '../texts/settings.js'
import { About } from './about.js'
import { Appearance } from './appearance.js'
import { Password } from './password.js'
import { Profile } from './profile.js'
import { Sessions } from './sessions.js'

/** What one changes about oneself and this console. */
export default function Settings() {
  return (
    <Page title={texts.title}>
      <Profile />
      <Password />
      <Sessions />
      <Appearance />
      <About />
    </Page>
  )
}
