//! String graphs: problems as labelled hypergraphs, preprocessing, the integer interchange.
