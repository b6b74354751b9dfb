import { MantineProvider } from '@mantine/core'
import { lazy, StrictMode, Suspense, useEffect } from 'react'
import { App } from './app.js'
import { AfterPaint } from './layout/after-paint.js'
import { PlatformProvider } from './platform/platform-provider.js'
import { cssVariables, theme } from './theme.js'

const Notifications = lazy(async () => ({ default: (await import('@mantine/notifications')).Notifications }))
const StepUpDialog = lazy(() => import('./second-factors/step-up-dialog.js'))

interface ConsoleProps {
  /** The server's Content Security Policy lets styles in that carry it. */
  nonce: string
  /** What the server knows of who looks at it. */
  role: string
}

/** All of the page, within a router. */
export function Console({ nonce, role }: ConsoleProps) {
  // Tells whoever measures it (bench) that the scripts listen.
  useEffect(() => void dispatchEvent(new Event('alive')), [])
  return (
    <StrictMode>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto" getStyleNonce={() => nonce}>
        <PlatformProvider role={role}>
          <App />
          <AfterPaint>
            <Suspense>
              <StepUpDialog />
            </Suspense>
          </AfterPaint>
        </PlatformProvider>
        <AfterPaint>
          <Suspense>
            <Notifications position="bottom-right" />
          </Suspense>
        </AfterPaint>
      </MantineProvider>
    </StrictMode>
  )
}
