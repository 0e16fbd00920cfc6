"""Steps that commands share: workspace, branch state, assessment, change sets, writing, repair."""
