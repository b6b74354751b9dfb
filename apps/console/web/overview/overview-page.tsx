import { Skeleton, Stack } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { AfterPaint } from '../layout/after-paint.js'
import { PageLayout } from '../parts/page-layout.js'
import { overviewTexts } from '../texts/overview.js'

const Panels = lazy(() => import('./panels.js'))

/** /app */
export function OverviewPage() {
  return (
    <PageLayout title={overviewTexts.title} description={overviewTexts.description}>
      <AfterPaint fallback={<Outline />}>
        <Suspense fallback={<Outline />}>
          <Panels />
        </Suspense>
      </AfterPaint>
    </PageLayout>
  )
}

/** Placeholders of the panels' heights. */
function Outline() {
  return (
    <Stack gap="lg" aria-hidden>
      {[112, 224, 260, 320].map((height) => (
        <Skeleton key={height} h={height} />
      ))}
    </Stack>
  )
}
