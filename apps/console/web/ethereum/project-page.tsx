import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { Loaded } from '../parts/loaded.js'
import { PageLayout } from '../parts/page-layout.js'
import { PageTabs } from '../parts/page-tabs.js'
import { ethereumTexts } from '../texts/ethereum.js'
import { useEthereumChain } from './chain.js'
import { ErrorsTab } from './errors/errors-tab.js'
import { ProjectKeysTab } from './keys/project-keys-tab.js'
import { ProjectConnect } from './project-connect.js'
import { ProjectSettingsForm } from './project-settings.js'
import { UsageTab } from './usage-tab.js'

const texts = ethereumTexts.project

/** One project: how to call it, what was called, who may. */
export function ProjectPage() {
  const { id = '', tab } = useParams()
  const { chain, api, at, title: chainTitle } = useEthereumChain()
  const query = useQuery({
    queryKey: ['ethereum', 'project', chain, id],
    queryFn: () => api.projects.get({ params: { projectId: id } }),
    refetchInterval: 30_000,
  })
  return (
    <PageLayout
      title={query.data?.name ?? texts.title}
      above={[{ to: at(), label: chainTitle }]}
      actions={
        <Button component={Link} to={at('/playground')} state={{ project: id }} variant="default">
          {texts.playground}
        </Button>
      }
    >
      <Loaded query={query} rows={8}>
        {(project) => (
          <PageTabs
            label={texts.tabs}
            page={at(`/projects/${id}`)}
            tab={tab}
            tabs={[
              { at: 'connect', label: texts.connect, content: () => <ProjectConnect project={project} /> },
              { at: 'keys', label: texts.keys, content: () => <ProjectKeysTab project={project} /> },
              { at: 'usage', label: texts.usage, content: () => <UsageTab project={project} /> },
              { at: 'errors', label: texts.errors, content: () => <ErrorsTab project={project} /> },
              { at: 'settings', label: texts.settings, content: () => <ProjectSettingsForm project={project} key={project.id} /> },
            ]}
          />
        )}
      </Loaded>
    </PageLayout>
  )
}
