import { Button, Group, Select, Stack } from '@mantine/core'
import type { Project } from '@trestle/contracts/eth-rpc/projects'
import { useState } from 'react'
import { Link, useLocation } from 'react-router'
import { ChooseChain } from '../../parts/choose-chain.js'
import { EmptyState } from '../../parts/empty-state.js'
import { Loaded } from '../../parts/loaded.js'
import { PageLayout } from '../../parts/page-layout.js'
import { ethereumTexts } from '../../texts/ethereum.js'
import { ethereumPath, useEthereumChain, useProjects } from '../chain.js'
import { PlaygroundPanel } from './playground-panel.js'

const texts = ethereumTexts.playground

/** Where one tries calls: what is sent, what comes back, how to do the same by curl. */
export function PlaygroundPage() {
  const { chain, at, title: chainTitle } = useEthereumChain()
  const projects = useProjects()
  const { search } = useLocation()
  return (
    <PageLayout title={texts.title} description={texts.description} above={[{ to: at(), label: chainTitle }]}>
      <Group>
        <ChooseChain area="eth-rpc" chain={chain} to={(other) => ethereumPath(other, `/playground${search}`)} />
      </Group>
      <Loaded query={projects} rows={8}>
        {(found) => (found.length === 0 ? <NoProject /> : <WithProject projects={found} />)}
      </Loaded>
    </PageLayout>
  )
}

function NoProject() {
  const { at } = useEthereumChain()
  return (
    <EmptyState title={texts.noProject.title} text={texts.noProject.text}>
      <Button component={Link} to={at('/new')}>
        {ethereumTexts.projects.create}
      </Button>
    </EmptyState>
  )
}

function WithProject({ projects }: { projects: readonly Project[] }) {
  const { state } = useLocation() as { state: { project?: string } | null }
  const [id, setId] = useState(state?.project)
  // The id is a credential: it is chosen here, and stands in no address that one shares.
  const project = projects.find((each) => each.id === id) ?? projects[0]
  if (!project) return null
  return (
    <Stack gap="lg">
      <Select
        label={texts.project}
        data={projects.map((each) => ({ value: each.id, label: each.name }))}
        value={project.id}
        onChange={(chosen) => chosen && setId(chosen)}
        allowDeselect={false}
        maw={360}
      />
      <PlaygroundPanel project={project} />
    </Stack>
  )
}
