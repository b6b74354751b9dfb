import { Group, Select, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Project } from '@trestle/contracts/eth-rpc/projects'
import { useReducer } from 'react'
import { useNavigate } from 'react-router'
import { ConfirmButton } from '../parts/confirm-button.js'
import { Panel } from '../parts/panel.js'
import { SubmitForm } from '../parts/submit-form.js'
import { ethereumTexts } from '../texts/ethereum.js'
import { TransferPanel } from '../transfer/transfer-panel.js'
import { projectsOf, useEthereumChain, useMaxLimits } from './chain.js'
import { FormProblem } from './form-problem.js'
import { ProjectFields } from './project-fields.js'
import { hasName, projectBody, projectForm, projectMistakes, reduceProject } from './project-form.js'
import { GRACES, HOUR_OF_GRACE, reduceRotation, rotationBody } from './rotation-form.js'

const texts = ethereumTexts.settings

/** What a project allows, and its end. */
export function ProjectSettingsForm({ project }: { project: Project }) {
  const { chain, api } = useEthereumChain()
  const { data: max } = useMaxLimits()
  const client = useQueryClient()
  const [form, dispatch] = useReducer(reduceProject, project, projectForm)
  const saving = useMutation({
    mutationFn: () => api.projects.change({ params: { projectId: project.id }, body: projectBody(form, project) }),
    onSuccess: async (changed) => {
      client.setQueryData(['ethereum', 'project', chain, project.id], changed)
      dispatch({ type: 'saved', project: changed })
      notifications.show({ message: texts.saved })
      await client.invalidateQueries({ queryKey: projectsOf(chain) })
    },
  })
  const mistakes = projectMistakes(form, saving.error)
  return (
    <Stack gap="xl" maw={720}>
      <SubmitForm action={texts.save} submission={saving} problem={undefined} disabled={!hasName(form)}>
        <ProjectFields form={form} mistakes={mistakes} dispatch={dispatch} max={max} />
        <FormProblem error={saving.error} mistakes={mistakes} />
      </SubmitForm>
      <Rotation project={project} />
      <Transfer project={project} />
      <Removal project={project} />
    </Stack>
  )
}

function Rotation({ project: { id } }: { project: Project }) {
  const { chain, api, at } = useEthereumChain()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [form, dispatch] = useReducer(reduceRotation, HOUR_OF_GRACE)
  async function rotate() {
    const rotated = await api.projects.rotate({ params: { projectId: id }, body: rotationBody(form) })
    client.setQueryData(['ethereum', 'project', chain, rotated.id], rotated)
    client.removeQueries({ queryKey: ['ethereum', 'project', chain, id] })
    await client.invalidateQueries({ queryKey: projectsOf(chain) })
    await navigate(at(`/projects/${rotated.id}`), { replace: true })
  }
  return (
    <Panel title={texts.rotation.title} text={texts.rotation.text}>
      <Group>
        <ConfirmButton action={texts.rotation.action} title={texts.rotation.question} onConfirm={rotate}>
          <Text>{texts.rotation.consequence}</Text>
          <Select
            label={texts.rotation.grace}
            data={GRACES.map((value) => ({ value, label: texts.rotation.graces[value] }))}
            value={form.grace}
            onChange={(value) => dispatch({ value })}
            allowDeselect={false}
          />
        </ConfirmButton>
      </Group>
    </Panel>
  )
}

function Transfer({ project: { id, name, organization: owner } }: { project: Project }) {
  const { chain, api, at } = useEthereumChain()
  const client = useQueryClient()
  const navigate = useNavigate()
  async function transfer(organization: string) {
    await api.projects.transfer({ params: { projectId: id }, body: { organization } })
    await navigate(at())
    client.removeQueries({ queryKey: ['ethereum', 'project', chain, id] })
    await client.invalidateQueries({ queryKey: projectsOf(chain) })
  }
  return <TransferPanel what={name} organizationId={owner} permission="eth:write" onTransfer={transfer} />
}

function Removal({ project: { id, name } }: { project: Project }) {
  const { chain, api, at } = useEthereumChain()
  const client = useQueryClient()
  const navigate = useNavigate()
  async function remove() {
    await api.projects.remove({ params: { projectId: id } })
    await navigate(at())
    client.removeQueries({ queryKey: ['ethereum', 'project', chain, id] })
    await client.invalidateQueries({ queryKey: projectsOf(chain) })
  }
  return (
    <Panel title={texts.removal.title} text={texts.removal.text}>
      <Group>
        <ConfirmButton action={texts.removal.action} title={texts.removal.question(name)} word={name} onConfirm={remove}>
          <Text>{texts.removal.consequence}</Text>
        </ConfirmButton>
      </Group>
    </Panel>
  )
}
